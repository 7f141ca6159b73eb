import type { Faces } from "../resource-type.ts";
import { paths } from "./paths.ts";
import { decodeProtobuf } from "./protobuf/decode.ts";
import { tableOf } from "./table/table.ts";

/** The parts of the local API that kubectl needs beside its objects. */
export const faces: Faces = { paths, tableOf, decodeProtobuf };
