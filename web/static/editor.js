// A textarea that colours CUDA: a coloured copy lies under the text, which itself turns transparent.
"use strict";

const WORDS = {
  k: "alignas auto break case class const constexpr continue default delete do else enum extern false for goto if inline namespace new nullptr operator private public register restrict return sizeof static static_assert static_cast reinterpret_cast struct switch template this true typedef typename union using virtual volatile while __global__ __device__ __host__ __shared__ __constant__ __restrict__ __forceinline__ __launch_bounds__ __managed__ __noinline__",
  kt: "bool char double float int long short signed unsigned void half half2 __half __half2 __nv_bfloat16 float2 float3 float4 int2 int3 int4 uint uint2 uint3 uint4 double2 dim3 size_t int8_t int16_t int32_t int64_t uint8_t uint16_t uint32_t uint64_t",
  nb: "threadIdx blockIdx blockDim gridDim warpSize __syncthreads __syncwarp __shfl_sync __shfl_down_sync __shfl_up_sync __shfl_xor_sync __ballot_sync __any_sync __all_sync __activemask __popc __ldg __expf __logf atomicAdd atomicMax atomicMin atomicCAS atomicExch min max sqrtf rsqrtf expf logf tanhf fmaf fabsf",
};
const CLASS_OF = new Map(Object.entries(WORDS).flatMap(([name, words]) => words.split(" ").map((word) => [word, name])));
const PIECE = /(\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$))|("(?:\\.|[^"\\\n])*"?|'(?:\\.|[^'\\\n])*'?)|(^[ \t]*#[^\n]*)|(\b\d[\w.']*)|([A-Za-z_]\w*)/gm;
const LONGEST = 60000; // colouring longer texts would make typing slow

function piecesOf(text) {
  const made = document.createDocumentFragment();
  let at = 0;
  for (const found of text.matchAll(PIECE)) {
    const name = found[1] ? "c1" : found[2] ? "s" : found[3] ? "cp" : found[4] ? "mi" : CLASS_OF.get(found[5]);
    if (!name) continue;
    made.append(text.slice(at, found.index));
    const span = document.createElement("span");
    span.className = name;
    span.textContent = found[0];
    made.append(span);
    at = found.index + found[0].length;
  }
  made.append(text.slice(at) + "\n");
  return made;
}

for (const editor of document.querySelectorAll("[data-editor]")) {
  const area = editor.querySelector("textarea");
  const under = document.createElement("pre");
  under.setAttribute("aria-hidden", "true");
  editor.prepend(under);
  let leaving = false;

  const draw = () => {
    const plain = area.value.length > LONGEST;
    editor.classList.toggle("lit", !plain);
    under.replaceChildren(plain ? "" : piecesOf(area.value));
    follow();
  };
  const follow = () => {
    under.scrollTop = area.scrollTop;
    under.scrollLeft = area.scrollLeft;
  };
  area.addEventListener("input", draw);
  area.addEventListener("scroll", follow);
  area.addEventListener("keydown", (event) => {
    if (event.key === "Escape") {
      leaving = true;
    } else if (event.key === "Tab" && !leaving && !event.ctrlKey && !event.altKey && !event.metaKey && !event.shiftKey) {
      event.preventDefault();
      area.setRangeText("    ", area.selectionStart, area.selectionEnd, "end");
      draw();
    } else if (event.key !== "Shift") {
      leaving = false;
    }
  });
  draw();
}
