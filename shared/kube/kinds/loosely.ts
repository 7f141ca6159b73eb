import * as z from "zod";

/**
 * The type of a schema without its checks: objects of external kinds are taken as the server sent them (it has checked
 * them, and a later version may know more fields), yet functions read and write them with types.
 */
export const loosely = <S extends z.ZodType>(_schema: S): z.ZodType<z.input<S>, z.input<S>> =>
  z.unknown() as unknown as z.ZodType<z.input<S>, z.input<S>>;
