// The package brings no types.
declare module "dynalite" {
  import type { Server } from "node:http";
  /** An emulated DynamoDB in memory. */
  export default function dynalite(options?: { readonly createTableMs?: number }): Server;
}
