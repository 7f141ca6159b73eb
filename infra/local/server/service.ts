import type { Kernel } from "../kernel.ts";
import type { ApiRequest, ApiResponse, Faces } from "../resource-type.ts";
import type { TableContext } from "./present.ts";

/** The kernel with its faces: what is shown beside plain objects. */
export interface Service {
  readonly kernel: Kernel;
  readonly faces: Partial<Faces>;
}

/** A header of a request, as one text. */
export const header = (request: ApiRequest, name: string): string | undefined => {
  const value = request.headers[name];
  return typeof value === "string" || value === undefined ? value : value.join(",");
};

/** An answer with a body. */
export const ok = (status: number, body: string, contentType = "application/json"): ApiResponse => ({
  status,
  headers: { "content-type": contentType },
  body,
});

/** The contents of this request's table. */
export const tableContext = ({ kernel, faces }: Service, { query }: ApiRequest): TableContext => {
  const include = query.get("includeObject");
  return {
    tableOf: faces.tableOf,
    includeObject: include === "None" || include === "Object" ? include : "Metadata",
    now: kernel.clock.now(),
  };
};
