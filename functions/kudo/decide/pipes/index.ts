export { type EnvFile, readEnvFile } from "./env-file.ts";
export { type PipeKey, pipeKeys, pipeKeysFault } from "./keys.ts";
export { baseName, pathsIn, podIn, WAITER, withWaiter } from "./pod.ts";
export { type PipeFile, pipeFault, pipeTaskFault } from "./spec.ts";
