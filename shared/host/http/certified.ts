import { randomUUID, type X509Certificate } from "node:crypto";
import type { Bus } from "../../bus/contract.ts";
import type { Clock } from "../../clock/clock.ts";
import { DeclarationError } from "../../function/system.ts";
import type {
  Beat,
  BeatingTrigger,
  CertifiedTrigger,
  Notice,
  ProvenDelivery,
} from "../../function/trigger.ts";
import type { Log } from "../../log/log.ts";
import { certificatesIn, commonNameOf, isIssuedBy } from "../../tls/index.ts";
import { answer, type FetchHandler, HttpError } from "./answer.ts";
import { malformed, parseJson, readBody } from "./body.ts";
import { peerOf } from "./caller.ts";
import { forwardedCertificate } from "./forwarded-certificate.ts";
import { publishDurably } from "./publish.ts";
import { type Secret, SecretError } from "./secret.ts";
import { pathOf, serving, type Taken } from "./serving.ts";
import { eventOf } from "./webhook.ts";

/** Proves who sent a request: the common name of its certificate. Throws 401, or 400 where the certificate has no such name. */
export type Proof = (request: Request) => Promise<string>;

/** The remembrance of senders' beats. */
export interface BeatEar {
  hear(trigger: BeatingTrigger, sender: string, beat: Beat): HeardBeat;
}
/** A beat that is heard: what there is to tell of it, and what remembers it once that is durable. */
export interface HeardBeat {
  readonly notices: readonly Notice[];
  note(): void;
}

/** A trigger that certificates prove, whether its senders beat or not. */
export type ProvenTrigger = CertifiedTrigger | BeatingTrigger;

export interface CertifiedParts {
  readonly bus: Pick<Bus, "publish" | "ready">;
  readonly clock: Clock;
  readonly prove: Proof;
  /** Hears beats. Needed where senders of a trigger beat. */
  readonly ear?: BeatEar | undefined;
}

/** Finds the trigger of a request's path. Throws a `DeclarationError` where two have one path. */
export function certifiedPaths(
  triggers: readonly ProvenTrigger[],
  parts: CertifiedParts,
): (path: string) => Taken | undefined {
  const shapes = new Map<string, string>();
  for (const { name, path } of triggers) {
    const shape = path.replaceAll(/:[^/]+/g, ":");
    const other = shapes.get(shape);
    if (other !== undefined)
      throw new DeclarationError(
        "DECLARATION_PATH",
        `${name} is told at ${path}, and so is ${other} of another system: give it a path of its own, or run the systems apart.`,
      );
    shapes.set(shape, name);
  }
  const served = triggers.map((trigger) => ({
    trigger,
    taken: { methods: { POST: certified(trigger, parts) } },
  }));
  return (path) => served.find(({ trigger }) => partsOf(trigger, path) !== undefined)?.taken;
}

/** Everything that certificates prove, as one handler for a listener of its own. It never rejects. */
export const certifiedIngress = ({
  triggers,
  log,
  ...parts
}: CertifiedParts & { readonly triggers: readonly ProvenTrigger[]; readonly log: Log }): FetchHandler =>
  serving(certifiedPaths(triggers, parts), log);

/** `POST <path of a trigger>`: 202 once what it tells is durable, and where it tells nothing. Proven before the body is read. */
function certified(trigger: ProvenTrigger, { bus, clock, prove, ear }: CertifiedParts): FetchHandler {
  const { name, maximumBody, noJson } = trigger;
  return async (request) => {
    refuseLong(request, maximumBody);
    const commonName = await prove(request);
    const bytes = await readBody(request, maximumBody);
    const path = partsOf(trigger, pathOf(request)) ?? {};
    const body = jsonOf(bytes, noJson);
    const { notices, note } = heardIn(trigger, { commonName, path, body, id: randomUUID() }, ear);
    if (notices.length > 0)
      await publishDurably(
        bus,
        notices.map((notice) => eventOf({ name }, notice, clock)),
        clock,
      );
    note();
    return answer(202, {});
  };
}

const NOTHING: HeardBeat = { notices: [], note: () => undefined };

/** The contents of a delivery. Whose beat it is, its certificate says. */
function heardIn(trigger: ProvenTrigger, delivery: ProvenDelivery, ear: BeatEar | undefined): HeardBeat {
  const isBeating = trigger.beats !== undefined;
  const reading = trigger.read(delivery);
  if ("issues" in reading) throw malformed(reading.issues);
  if ("notices" in reading) return { ...NOTHING, notices: reading.notices };
  if (!isBeating || !("beat" in reading)) return NOTHING;
  if (ear === undefined)
    throw new HttpError("HTTP_UNAVAILABLE", "Nobody hears beats here now: send it again a little later.");
  return ear.hear(trigger, delivery.commonName, reading.beat);
}

/** Refuses what says itself that it is too long, whoever sent it. */
function refuseLong(request: Request, maximum: number): void {
  if (Number(request.headers.get("content-length") ?? 0) > maximum)
    throw new HttpError("HTTP_TOO_LARGE", `The body is larger than ${maximum} bytes.`, {
      headers: { connection: "close" },
    });
}

function jsonOf(bytes: Uint8Array, status: number | undefined): unknown {
  try {
    return parseJson(bytes);
  } catch (thrown) {
    if (status === undefined || !(thrown instanceof HttpError)) throw thrown;
    const { code, message, issues, cause } = thrown;
    throw new HttpError(code, message, { status, cause, ...(issues && { issues }) });
  }
}

/** The named parts of a path; undefined where it is another's. */
function partsOf(
  { path }: Pick<CertifiedTrigger, "path">,
  given: string,
): Record<string, string> | undefined {
  const [wanted, found] = [path.split("/"), given.split("/")];
  if (wanted.length !== found.length) return undefined;
  const parts: Record<string, string> = {};
  for (const [index, part] of wanted.entries()) {
    const there = found[index] ?? "";
    if (part.startsWith(":")) parts[part.slice(1)] = there;
    else if (part !== there) return undefined;
  }
  return parts;
}

/** Proves senders by the certificate of their connection, which the server has verified. */
export const provenByConnection: Proof = async (request) => {
  const peer = peerOf(request);
  if (peer?.verified !== true)
    throw new HttpError(
      "HTTP_UNAUTHORIZED",
      "No certificate that is trusted here proves who calls: show one that the authorities of this server issued.",
    );
  return named(peer.certificate);
};

/**
 * Proves senders by the certificate that a gateway forwards, where one of the authorities issued it.
 * @param authorities the bundle, as it is now
 * @param gateway the common name by which the gateway proves itself to this server; absent: nobody else reaches it
 */
export function provenByGateway({
  authorities,
  gateway,
  clock,
}: {
  readonly authorities: Secret;
  readonly gateway?: string | undefined;
  readonly clock: Clock;
}): Proof {
  let known: { readonly text: string; readonly certificates: readonly X509Certificate[] } | undefined;
  return async (request) => {
    if (gateway !== undefined && peerOf(request)?.certificate !== gateway)
      throw new HttpError(
        "HTTP_UNAUTHORIZED",
        "Forwarded certificates count from the gateway alone: call through it.",
      );
    const certificate = forwardedCertificate(request);
    const text = await authorities();
    if (known?.text !== text) known = { text, certificates: bundleOf(text) };
    if (!isIssuedBy(certificate, known.certificates, clock.now()))
      throw new HttpError(
        "HTTP_UNAUTHORIZED",
        "The forwarded certificate is of nobody who is trusted here, or its time is over.",
      );
    return named(commonNameOf(certificate));
  };
}

function bundleOf(text: string): readonly X509Certificate[] {
  const certificates = certificatesIn(text);
  if (certificates.length > 0) return certificates;
  throw new SecretError(
    "SECRET_UNREADABLE",
    "The bundle of authorities that prove senders holds no certificate: write PEM there.",
  );
}

function named(commonName: string | undefined): string {
  if (commonName !== undefined && commonName !== "") return commonName;
  throw malformed(["(certificate): its subject has no common name, or several"]);
}
