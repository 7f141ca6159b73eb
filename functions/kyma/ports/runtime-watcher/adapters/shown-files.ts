import { readFileSync } from "node:fs";
import { shownFault } from "../../../../../shared/tls/index.ts";
import type { RuntimeWatcherOptions } from "../contract.ts";

type Files = RuntimeWatcherOptions["files"];

/** The contents of the files, as they are now. Throws where they cannot be read, or cannot be used together. */
export function shownFiles(files: Files): Files {
  const certificate = readFileSync(files.certificate, "utf8");
  const key = readFileSync(files.key, "utf8");
  const authorities = readFileSync(files.authorities, "utf8");
  const fault = shownFault({ certificate, key }, authorities);
  if (fault !== undefined)
    throw new Error(`${fault} (${files.certificate}, ${files.key}, ${files.authorities})`);
  return { certificate, key, authorities };
}
