// How CUDA and Triton are coloured: C++ with CUDA's words added, or Python. Both read line by line, so a line of any
// length costs what its first ten thousand characters cost.
import { HighlightStyle, StreamLanguage, syntaxHighlighting } from "@codemirror/language";
import { cpp } from "@codemirror/legacy-modes/mode/clike";
import { python } from "@codemirror/legacy-modes/mode/python";
import { tags } from "@lezer/highlight";

const WORDS = {
  keyword:
    "__global__ __device__ __host__ __shared__ __constant__ __restrict__ __forceinline__ __launch_bounds__ __managed__ __noinline__ __grid_constant__ __cluster_dims__",
  type: "half half2 __half __half2 __nv_bfloat16 __nv_bfloat162 __nv_fp8_e4m3 __nv_fp8_e5m2 float2 float3 float4 double2 int2 int3 int4 uint uint2 uint3 uint4 dim3 size_t int8_t int16_t int32_t int64_t uint8_t uint16_t uint32_t uint64_t",
  builtin:
    "threadIdx blockIdx blockDim gridDim warpSize __syncthreads __syncwarp __shfl_sync __shfl_down_sync __shfl_up_sync __shfl_xor_sync __ballot_sync __any_sync __all_sync __activemask __popc __ldg __expf __logf atomicAdd atomicMax atomicMin atomicCAS atomicExch min max sqrtf rsqrtf expf logf tanhf fmaf fabsf",
};
const STYLE_OF = new Map(Object.entries(WORDS).flatMap(([style, words]) => words.split(" ").map((word) => [word, style])));
const OF_A_NAME = new Set(["variable", "builtin", "def"]);

const cuda = StreamLanguage.define({
  ...cpp,
  name: "cuda",
  token(stream, state) {
    const style = cpp.token(stream, state);
    if (!OF_A_NAME.has(style)) return style;
    return STYLE_OF.get(stream.current()) ?? (style === "def" ? "def" : "variable");
  },
});
const triton = StreamLanguage.define(python);

// As worker/language.py tells them apart.
const C_COMMENT = /\/\*[^]*?(?:\*\/|$)/g;
const TRITON = /^(?:import[ \t]+triton\b|from[ \t]+triton\b|@triton\.)/m;

export function languageOf(source) {
  return TRITON.test(source.replace(C_COMMENT, "")) ? triton : cuda;
}

// The colours of site.css, so that light and dark follow the page.
export const colours = syntaxHighlighting(
  HighlightStyle.define([
    { tag: [tags.keyword, tags.controlKeyword, tags.modifier], color: "var(--tok-key)" },
    { tag: [tags.typeName, tags.standard(tags.variableName), tags.definition(tags.variableName)], color: "var(--tok-type)" },
    { tag: [tags.string, tags.special(tags.string)], color: "var(--tok-str)" },
    { tag: [tags.number, tags.atom, tags.bool], color: "var(--tok-num)" },
    { tag: tags.comment, color: "var(--tok-com)", fontStyle: "italic" },
    { tag: tags.meta, color: "var(--tok-pre)" },
  ]),
);
