import type { Clock } from "../../clock/clock.ts";
import type { Credential, Credentials } from "../http/connection.ts";
import { readNamed } from "./files.ts";

/** For how long a token is taken without looking at its file again. */
const freshMilliseconds = 1000;

/** A token that somebody else rotates in a file (the kubelet does). The file is read again for each request, at most once a second. */
export function tokenFileCredentials(file: string, clock: Clock): Credentials {
  let credential: Credential = {};
  let token = "";
  let readAt = Number.NEGATIVE_INFINITY;
  const read = (): boolean => {
    const found = readNamed(file, "token file").trim();
    readAt = clock.now();
    if (found === token) return false;
    token = found;
    credential = { authorization: `Bearer ${found}` };
    return true;
  };
  read();
  return {
    current: () => {
      if (clock.now() - readAt >= freshMilliseconds) read();
      return credential;
    },
    refused: read,
  };
}
