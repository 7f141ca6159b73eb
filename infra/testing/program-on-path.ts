import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";

/** The path of a program, where PATH leads to it. */
export const programOnPath = (name: string): string | undefined =>
  (process.env.PATH ?? "")
    .split(delimiter)
    .map((folder) => join(folder, name))
    .find((file) => {
      try {
        accessSync(file, constants.X_OK);
        return true;
      } catch {
        // Not there: the next folder may have it.
        return false;
      }
    });
