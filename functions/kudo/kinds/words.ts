import type * as z from "zod";
import { word } from "../../../shared/kube/schema/words.ts";

/** A word of these. The API server refuses any other; one that was stored before is read as it is, and told of where it matters. */
export const wordOf = <T extends string>(...words: readonly T[]): z.ZodType<T, T> =>
  word<T>().meta({ pattern: `^(${words.join("|")})$` });
