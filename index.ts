export * from "./shared/function/index.ts";
