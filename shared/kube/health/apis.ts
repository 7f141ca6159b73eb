import { fieldOf, listOf } from "../../json/fields.ts";
import { type Health, type Readable, ready, statementOf, unready } from "./health.ts";

/** Ready once objects of it are served. */
export function definitionHealth(live: Readable): Health {
  const established = statementOf(live, "Established");
  if (established?.status === "True") return ready(live);
  // Just made, it has no conditions yet: the server writes them within moments.
  if (listOf(fieldOf(live.status, "conditions")).length === 0)
    return unready(live, "progressing", "Unobserved");
  return statementOf(live, "NamesAccepted")?.status === "False"
    ? unready(live, "failed", "NamesNotAccepted", established)
    : unready(live, "progressing", "NotEstablished", established);
}

/** Ready while the server behind it answers. */
export function apiServiceHealth(live: Readable): Health {
  const available = statementOf(live, "Available");
  if (available?.status === "True") return ready(live);
  return available === undefined
    ? unready(live, "progressing", "Unobserved")
    : unready(live, "progressing", "Unavailable", available);
}
