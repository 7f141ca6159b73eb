import { note, type Obj } from "../../../../shared/function/index.ts";
import type { Manifest } from "../../kinds/index.ts";
import { namedOf, placeOf } from "./named.ts";
import type { FoundObject } from "./world.ts";

/** The notes on objects that a module leaves, since another Manifest has them too. */
export const leftNotes = (self: Obj<typeof Manifest>, found: readonly FoundObject[]) =>
  found.flatMap(({ live, claim }) =>
    live === undefined || claim === undefined || claim.isPassing
      ? []
      : [
          note(
            self,
            "Normal",
            "ObjectLeft",
            `${live.kind} ${placeOf(namedOf(live))} stays: it belongs to Manifest ${claim.by}`,
          ),
        ],
  );
