import { posix } from "node:path";
import type { Functions } from "../function.ts";
import { fixed, onText } from "./define.ts";

/** The shortest path of the same meaning. (Node keeps a slash at the end, Go does not.) */
const clean = (path: string): string => {
  const normal = posix.normalize(path);
  return normal.length > 1 && normal.endsWith("/") ? normal.slice(0, -1) : normal;
};
function base(path: string): string {
  if (path === "") return ".";
  const bare = path.replace(/\/+$/, "");
  return bare === "" ? "/" : bare.slice(bare.lastIndexOf("/") + 1);
}
const directory = (path: string): string => clean(path.slice(0, path.lastIndexOf("/") + 1));
function extension(path: string): string {
  const name = path.slice(path.lastIndexOf("/") + 1);
  const dot = name.lastIndexOf(".");
  return dot < 0 ? "" : name.slice(dot);
}
const isAbsolute = fixed(["string"], ([path]) => path.startsWith("/"));

/** Functions on paths of files. */
export const osPaths: Functions = {
  osBase: onText(base),
  osDir: onText(directory),
  osClean: onText(clean),
  osExt: onText(extension),
  osIsAbs: isAbsolute,
};

/** The same on paths with slashes, whatever the machine. */
export const paths: Functions = {
  base: onText(base),
  dir: onText(directory),
  clean: onText(clean),
  ext: onText(extension),
  isAbs: isAbsolute,
};
