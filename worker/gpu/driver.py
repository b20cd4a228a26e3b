"""CUDA's driver calls as a child of ours makes them: results checked, one device, one context, one stream."""

from __future__ import annotations

import ctypes
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from cuda.bindings import driver

from worker.gpu.wire import At, Bits, Code, Launch

_PRINTF_BYTES = 256 << 10
_HEAP_BYTES = 8 << 20
_DYNAMIC_SHARED = driver.CUfunction_attribute.CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES
_DESCRIPTOR = driver.CUmemAllocationHandleType.CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR


class CudaError(Exception):
    """A driver call failed; `code` is its CUresult."""

    def __init__(self, code: int, name: str) -> None:
        super().__init__(name)
        self.code = code
        self.name = name


def call(answer: tuple[Any, ...]) -> Any:
    """The value of a driver call."""
    status, *values = answer
    if int(status) != 0:
        raise CudaError(int(status), status.name)
    return values[0] if len(values) == 1 else tuple(values)


def open_device() -> driver.CUdevice:
    """The first device, its context current: spinning when it waits, nothing of L2 set aside, small heaps."""
    call(driver.cuInit(0))
    device = call(driver.cuDeviceGet(0))
    call(driver.cuDevicePrimaryCtxSetFlags(device, driver.CUctx_flags.CU_CTX_SCHED_SPIN))
    call(driver.cuCtxSetCurrent(call(driver.cuDevicePrimaryCtxRetain(device))))
    limits = {
        driver.CUlimit.CU_LIMIT_PERSISTING_L2_CACHE_SIZE: 0,
        driver.CUlimit.CU_LIMIT_PRINTF_FIFO_SIZE: _PRINTF_BYTES,
        driver.CUlimit.CU_LIMIT_MALLOC_HEAP_SIZE: _HEAP_BYTES,
    }
    for limit, value in limits.items():
        status = driver.cuCtxSetLimit(limit, value)[0]
        if int(status) not in {0, int(driver.CUresult.CUDA_ERROR_UNSUPPORTED_LIMIT)}:
            call((status,))
    return device


def open_stream() -> driver.CUstream:
    """A stream that is ordered with the plain copies and fills, which go by the default one."""
    return call(driver.cuStreamCreate(driver.CUstream_flags.CU_STREAM_DEFAULT))


class Module:
    """A loaded cubin; its kernels by their names in it."""

    def __init__(self, cubin: bytes, shared_bytes: Mapping[str, int]) -> None:
        """`shared_bytes`: for each kernel the most dynamic shared memory that it will ask for."""
        self._module = call(driver.cuModuleLoadData(cubin))
        self._functions = {}
        for name, shared in shared_bytes.items():
            function = call(driver.cuModuleGetFunction(self._module, name.encode()))
            call(driver.cuFuncLoad(function))
            if shared:
                call(driver.cuFuncSetAttribute(function, _DYNAMIC_SHARED, shared))
            self._functions[name] = function

    def __getitem__(self, name: str) -> driver.CUfunction:
        return self._functions[name]

    def unload(self) -> None:
        call(driver.cuModuleUnload(self._module))


class Modules:
    """The modules of a request, loaded where something of them is launched."""

    def __init__(self, codes: Sequence[Code]) -> None:
        self._modules = {number: Module(code.cubin, code.shared) for number, code in enumerate(codes) if code.cubin}

    def __getitem__(self, number: int) -> Module:
        return self._modules[number]

    def unload(self) -> None:
        for module in self._modules.values():
            module.unload()


def launch(module: Module, one: Launch, base: int, stream: driver.CUstream) -> None:
    """One launch; its offsets count from `base`."""
    held = [_argument(arg, base) for arg in one.args]
    pointers = (ctypes.c_void_p * max(1, len(held)))(*(ctypes.addressof(value) for value in held))
    call(
        driver.cuLaunchKernel(
            module[one.kernel], *one.grid, *one.block, one.shared_bytes, stream, ctypes.addressof(pointers), 0
        )
    )


def _argument(arg: At | Bits, base: int) -> ctypes.c_uint64 | ctypes.Array[ctypes.c_char]:
    if isinstance(arg, At):
        return ctypes.c_uint64(base + arg.offset)
    return ctypes.create_string_buffer(arg.data, len(arg.data))


@dataclass(frozen=True, slots=True)
class Arena:
    """Device memory that another process can map: it is handed over as a descriptor, not as an address."""

    address: int
    bytes: int
    handle: driver.CUmemGenericAllocationHandle

    @classmethod
    def create(cls, size: int, device: driver.CUdevice) -> Arena:
        properties = driver.CUmemAllocationProp()
        properties.type = driver.CUmemAllocationType.CU_MEM_ALLOCATION_TYPE_PINNED
        properties.location = _on(device)
        properties.requestedHandleTypes = _DESCRIPTOR
        minimum = driver.CUmemAllocationGranularity_flags.CU_MEM_ALLOC_GRANULARITY_MINIMUM
        unit = call(driver.cuMemGetAllocationGranularity(properties, minimum))
        whole = -(-size // unit) * unit
        return cls._mapped(call(driver.cuMemCreate(whole, properties, 0)), whole, device)

    @classmethod
    def adopt(cls, descriptor: int, size: int, device: driver.CUdevice) -> Arena:
        """What another process created; the descriptor is closed."""
        try:
            handle = call(driver.cuMemImportFromShareableHandle(descriptor, _DESCRIPTOR))
        finally:
            os.close(descriptor)
        return cls._mapped(handle, size, device)

    def export(self) -> int:
        return int(call(driver.cuMemExportToShareableHandle(self.handle, _DESCRIPTOR, 0)))

    def close(self) -> None:
        call(driver.cuMemUnmap(self.address, self.bytes))
        call(driver.cuMemRelease(self.handle))
        call(driver.cuMemAddressFree(self.address, self.bytes))

    @classmethod
    def _mapped(cls, handle: driver.CUmemGenericAllocationHandle, size: int, device: driver.CUdevice) -> Arena:
        address = call(driver.cuMemAddressReserve(size, 0, 0, 0))
        call(driver.cuMemMap(address, size, 0, handle, 0))
        access = driver.CUmemAccessDesc()
        access.location = _on(device)
        access.flags = driver.CUmemAccess_flags.CU_MEM_ACCESS_FLAGS_PROT_READWRITE
        call(driver.cuMemSetAccess(address, size, [access], 1))
        return cls(int(address), size, handle)


def _on(device: driver.CUdevice) -> driver.CUmemLocation:
    location = driver.CUmemLocation()
    location.type = driver.CUmemLocationType.CU_MEM_LOCATION_TYPE_DEVICE
    location.id = int(device)
    return location


def upload(address: int, data: bytes) -> None:
    call(driver.cuMemcpyHtoD(address, data, len(data)))


def download(address: int, size: int) -> bytes:
    data = bytearray(size)
    call(driver.cuMemcpyDtoH((ctypes.c_char * size).from_buffer(data), address, size))
    return bytes(data)
