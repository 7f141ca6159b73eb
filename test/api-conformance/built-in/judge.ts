import assert from "node:assert/strict";
import type { Answer, Api } from "../target.ts";
import type { Judged } from "./object.ts";

const plurals: Readonly<Record<string, string>> = {
  Ingress: "ingresses",
  NetworkPolicy: "networkpolicies",
  PriorityClass: "priorityclasses",
};

function pathOf({ apiVersion, kind, metadata }: Judged): string {
  const root = apiVersion.includes("/") ? "/apis/" : "/api/";
  const home = metadata.namespace === undefined ? "" : `/namespaces/${metadata.namespace}`;
  return `${root}${apiVersion}${home}/${plurals[kind] ?? `${kind.toLowerCase()}s`}`;
}

/**
 * What a server says of an object: a code, and in what words. A dry run, but for Services: of them the real server gives
 * no port of the nodes in one.
 */
export async function judgement(api: Api, object: Judged): Promise<readonly string[]> {
  const path = pathOf(object);
  const kept = object.kind === "Service";
  const answer = await api.post(kept ? path : `${path}?dryRun=All`, object);
  if (kept && answer.code === 201) {
    const gone = await api.delete(`${path}/${object.metadata.name}`);
    assert.equal(gone.code, 200);
  }
  return wordsOf(answer);
}

function wordsOf({ code, body, text }: Answer): readonly string[] {
  if (code === 201) return ["201"];
  const causes = body.details?.causes ?? [];
  const lines =
    causes.length > 0
      ? causes.map((cause) => `${cause.reason} ${cause.field}: ${cause.message}`)
      : [body.message ?? text];
  return [String(code), ...lines.map(withoutChance).sort()];
}

/** Uids differ, and so does the order in which what is supported is listed. */
const withoutChance = (line: string): string =>
  line
    .replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, "UID")
    .replace(/(supported values: )(.*)$/, (_, start: string, values: string) => {
      return start + values.split(", ").sort().join(", ");
    });
