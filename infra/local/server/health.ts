import type { ApiRequest, ApiResponse } from "../resource-type.ts";
import type { Service } from "./service.ts";

const PATH = /^\/(healthz|livez|readyz)(?:\/([\w-]+))?\/?$/;

interface Check {
  readonly name: string;
  /** Absent: it passed. */
  readonly why?: string | undefined;
}

const answered = (status: number, body: string): ApiResponse => ({
  status,
  headers: { "content-type": "text/plain; charset=utf-8", "x-content-type-options": "nosniff" },
  body,
});

/** `/healthz`, `/livez`, `/readyz` and their single checks; undefined for other paths. Only `/livez` is well without storage. */
export function answerHealth({ kernel }: Service, request: ApiRequest): ApiResponse | undefined {
  const [, door, single] = PATH.exec(request.path) ?? [];
  if (door === undefined || request.method !== "GET") return undefined;
  const excluded = new Set(request.query.getAll("exclude"));
  const storage = { name: "storage", why: kernel.store.failure?.message };
  const checks: readonly Check[] = [{ name: "ping" }, ...(door === "livez" ? [] : [storage])];
  if (single !== undefined) {
    const check = checks.find(({ name }) => name === single);
    if (check === undefined) return undefined;
    return check.why === undefined ? answered(200, "ok") : answered(500, `${check.why}\n`);
  }
  const failed = checks.some(({ name, why }) => why !== undefined && !excluded.has(name));
  if (!failed && !request.query.has("verbose")) return answered(200, "ok");
  const lines = checks.map(({ name, why }) =>
    excluded.has(name)
      ? `[+]${name} excluded: ok`
      : why === undefined
        ? `[+]${name} ok`
        : `[-]${name} failed: ${why}`,
  );
  return answered(failed ? 500 : 200, `${lines.join("\n")}\n${door} check ${failed ? "failed" : "passed"}\n`);
}
