// The addition, the loads and the thread's number in PTX.
__global__ void vector_add(const float* a, const float* b, float* c, int n) {
    unsigned tid, ctaid, ntid;
    asm("mov.u32 %0, %%tid.x;" : "=r"(tid));
    asm("mov.u32 %0, %%ctaid.x;" : "=r"(ctaid));
    asm("mov.u32 %0, %%ntid.x;" : "=r"(ntid));
    unsigned i = ctaid * ntid + tid;
    if (i >= n) return;
    float u, v, w;
    asm volatile("ld.global.nc.f32 %0, [%1];" : "=f"(u) : "l"(a + i));
    asm volatile("ld.global.ca.f32 %0, [%1];" : "=f"(v) : "l"(b + i));
    asm("{\n\t.reg .f32 t;\n\tmov.f32 t, %1;\n\tadd.rn.f32 %0, t, %2;\n\t}" : "=f"(w) : "f"(u), "f"(v));
    asm volatile("st.global.cs.f32 [%0], %1;" ::"l"(c + i), "f"(w) : "memory");
}
