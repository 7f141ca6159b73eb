import type { Faces } from "../resource-type.ts";
import { paths } from "./paths.ts";
import { decodeProtobuf } from "./protobuf/decode.ts";
import { tableOf } from "./table/table.ts";

/** What kubectl needs to see of the local API beside its objects. */
export const faces: Faces = { paths, tableOf, decodeProtobuf };
