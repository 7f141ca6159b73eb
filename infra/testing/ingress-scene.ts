import { createHmac, randomUUID } from "node:crypto";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, type TestContext } from "vitest";
import { z } from "zod";
import { catalogue, type Envelope } from "../../events/index.ts";
import type { Bus } from "../../shared/bus/contract.ts";
import type { Trigger } from "../../shared/function/trigger.ts";
import { type FetchHandler, type IngressParts, ingress, secretFile } from "../../shared/host/http/index.ts";
import { createRouter } from "../../shared/runner/router.ts";
import { faults } from "../triggers/notice.ts";
import { openMemoryBus } from "./memory-bus.ts";
import { manualClock } from "./settling-clock.ts";
import { keptLog } from "./watched-cluster.ts";

/** The folder of the secrets, for all tests of a file that asks for it by `keepSecrets`. */
export const folder = join(tmpdir(), `reveille-ingress-${randomUUID()}`);

/**
 * Makes the folder and removes it at the end. Call it at the top of a test file: several may share a process, one after the
 * other.
 */
export function keepSecrets(): void {
  beforeAll(() => void mkdirSync(folder, { mode: 0o700 }));
  afterAll(() => rmSync(folder, { recursive: true }));
}
export const file = (name: string, text: string): string => {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
};

const ringing = z.object({ origin: z.string().optional(), version: z.string(), at: z.string().optional() });

/** A webhook whose body is a release. */
export const bell: Trigger = {
  name: "bell",
  proof: { signature: "x-signature" },
  deliveryHeader: "x-delivery",
  late: "refuse",
  types: ["rung"],
  typeOf: ({ header }) => header("x-type"),
  read: (_type, { body }) => {
    const parsed = ringing.safeParse(body);
    if (!parsed.success) return faults(parsed.error);
    const { origin, version, at } = parsed.data;
    if (version === "none") return { ignored: "no news" };
    const event = {
      id: `${origin}@${version}`,
      type: "release.published",
      subject: version,
      data: { origin, version },
    };
    return { notices: [{ at, event }] };
  },
};
export const gate: Trigger = { ...bell, name: "gate", proof: "bearer", late: "ignore", typeOf: () => "rung" };

export const NOW = Date.parse("2026-01-15T10:00:00.000Z");
export interface Scene {
  readonly handler: FetchHandler;
  readonly bus: Bus;
  readonly published: Envelope[];
  readonly clock: ReturnType<typeof manualClock>;
  readonly log: readonly { readonly level: string; readonly message: string }[];
}

export function scene(t: TestContext, over: Partial<IngressParts> = {}): Scene {
  const clock = manualClock(NOW);
  const bus = openMemoryBus({ route: createRouter([]).route, clock });
  t.onTestFinished(() => bus.close());
  const published: Envelope[] = [];
  bus.subscribe({ published: (event) => void published.push(event) });
  const lines: Parameters<typeof keptLog>[0] = [];
  const handler = ingress({
    bus,
    types: () => catalogue,
    callers: [
      { name: "ci", token: secretFile(file("ci", "ci-token\n")) },
      { name: "releases", token: secretFile(file("releases", "other")), may: ["events"] },
      { name: "robot", certificate: "robot.example.org" },
    ],
    triggers: [
      { trigger: bell, secret: secretFile(file("bell", "ding")) },
      { trigger: gate, secret: secretFile(file("gate", "dong")) },
    ],
    clock,
    log: keptLog(lines),
    maximumBody: 2_000,
    ...over,
  });
  return { handler, bus, published, clock, log: lines };
}

export const post = (path: string, body: string | undefined, headers: Record<string, string> = {}): Request =>
  new Request(`http://reveille${path}`, { method: "POST", headers, ...(body !== undefined && { body }) });
export const bodyOf = async (
  response: Response,
): Promise<{ code?: string; message?: string; issues?: string[]; accepted?: string[]; ignored?: string }> =>
  (await response.json()) as object;
export const signed = (body: unknown, over: Record<string, string> = {}, secret = "ding"): Request => {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  const hex = createHmac("sha256", secret).update(text).digest("hex");
  return post("/triggers/bell", text, {
    "x-signature": `sha256=${hex}`,
    "x-type": "rung",
    "x-delivery": "1",
    ...over,
  });
};

export const release = { origin: "o", version: "1", at: "2026-01-15T09:59:00.000Z" };
export const sample = (type: string): Record<string, unknown> =>
  JSON.parse(
    readFileSync(join(import.meta.dirname, `../../events/samples/${type.replace(".", "-")}.json`), "utf8"),
  ) as Record<string, unknown>;
export const asCi = { authorization: "Bearer ci-token" };
export const structured = (event: unknown, headers: Record<string, string> = asCi): Request =>
  post("/events", JSON.stringify(event), { "content-type": "application/cloudevents+json", ...headers });
