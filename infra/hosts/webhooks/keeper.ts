import type { Clock } from "../../../shared/clock/clock.ts";
import { messageOf, ReveilleError } from "../../../shared/errors.ts";
import type { System } from "../../../shared/function/system.ts";
import type { KubeClient } from "../../../shared/kube/client.ts";
import { resourceOf } from "../../../shared/kube/kind.ts";
import { Secret } from "../../../shared/kube/kinds/index.ts";
import type { Log } from "../../../shared/log/log.ts";
import { type Registration, registerExtensions } from "../../systems/extension-config.ts";
import { register, webhookConfigurations } from "../../systems/webhooks.ts";
import {
  type Certificates,
  promoted,
  readCertificates,
  renewalOf,
  renewed,
  secretData,
} from "./certificates.ts";

export interface WebhookKeeperOptions {
  readonly client: Pick<KubeClient, "get" | "patch" | "apply">;
  readonly systems: readonly System[];
  /** The Secret of the certificate; it is there, empty at first. */
  readonly secret: { readonly namespace: string; readonly name: string };
  /** The Service by which the API server reaches the listener. */
  readonly service: { readonly namespace: string; readonly name: string; readonly port: number };
  /** The time for which a certificate holds, in milliseconds. */
  readonly lifetime: number;
  /** The namespaces that are served. Absent: all. */
  readonly namespaces?: readonly string[] | undefined;
  /** True while this watcher holds the Lease: whoever does keeps the webhooks. */
  readonly leads: () => boolean;
  readonly clock: Clock;
  readonly log: Log;
}

/** The Secret of the certificate is not there: nobody may make it but whoever installs. */
class SecretMissingError extends ReveilleError {}

/** In an API server a new authority counts a moment after it was written, and there may be several. */
const TRUST_MILLISECONDS = 60_000;
const FIRST_RETRY = 5_000;
const LONGEST_RETRY = 300_000;
/** The time between two looks for Cluster API, where hooks wait for it to be installed. */
const ABSENT_MILLISECONDS = 300_000;

/**
 * Keeps admissions and hooks registered while its watcher leads: makes the certificate, renews it after two thirds of its lifetime, and writes
 * the authorities into the webhook configurations and the ExtensionConfig. Nothing is registered before the Secret holds the certificate; a new one is shown only
 * once its authority has been trusted for a minute. Each step is repeated by whoever leads next, so none can be lost.
 */
export class WebhookKeeper {
  readonly #options: WebhookKeeperOptions;
  #end = new AbortController();
  #running: Promise<void> = Promise.resolve();
  #extensions: Registration | undefined;

  constructor(options: WebhookKeeperOptions) {
    this.#options = options;
  }

  /** Called when the watcher has got the Lease. */
  lead(): void {
    this.#end.abort();
    this.#end = new AbortController();
    const { signal } = this.#end;
    const before = this.#running;
    this.#running = before.then(() => this.#keep(signal));
  }

  async stop(): Promise<void> {
    this.#end.abort();
    await this.#running;
  }

  async #keep(signal: AbortSignal): Promise<void> {
    const { clock, log, leads } = this.#options;
    let retry = FIRST_RETRY;
    let trusted: { readonly next: string; readonly since: number } | undefined;
    for (let first = true; first || leads(); first = false) {
      let wait: number;
      try {
        const known = await this.#certificates(signal);
        const { certificates } = known;
        await this.#register(certificates, signal);
        const { next } = certificates;
        if (next === undefined)
          wait = certificates.current ? renewalOf(certificates.current) - clock.now() : 0;
        else if (trusted?.next !== next.certificate) {
          trusted = { next: next.certificate, since: clock.now() };
          wait = TRUST_MILLISECONDS;
        } else {
          wait = trusted.since + TRUST_MILLISECONDS - clock.now();
          if (wait <= 0) {
            await this.#write(promoted(certificates), known.resourceVersion, signal);
            log.info({}, "renewed the certificate of the webhooks");
          }
        }
        if (this.#extensions === "absent") wait = Math.min(wait, ABSENT_MILLISECONDS);
        retry = FIRST_RETRY;
      } catch (thrown) {
        if (signal.aborted) return;
        log.warn({ reason: messageOf(thrown) }, "the webhooks cannot be kept registered now");
        wait = retry;
        retry = Math.min(retry * 2, LONGEST_RETRY);
      }
      try {
        await clock.sleep(Math.max(wait, 0), signal);
      } catch (thrown) {
        if (signal.aborted) return;
        throw thrown;
      }
    }
  }

  /** The certificates as they should be, and as the Secret holds them. */
  async #certificates(
    signal: AbortSignal,
  ): Promise<{ readonly certificates: Certificates; readonly resourceVersion: string | undefined }> {
    const { client, secret, service, lifetime, clock } = this.#options;
    const found = await client.get(SECRETS, secret, { signal });
    if (found === undefined)
      throw new SecretMissingError(
        "WEBHOOKS_SECRET_MISSING",
        `There is no Secret ${secret.name} in ${secret.namespace} for the certificate of the webhooks: install it by the chart, or by \`reveille webhooks --empty | kubectl apply --server-side -f -\`.`,
      );
    const serverNames = [`${service.name}.${service.namespace}.svc`, `${service.name}.${service.namespace}`];
    const known = readCertificates(found.data as Readonly<Record<string, string>> | undefined);
    const certificates = renewed(known, { serverNames, lifetime, now: clock.now() });
    const { resourceVersion } = found.metadata;
    if (certificates === known) return { certificates, resourceVersion };
    return { certificates, resourceVersion: await this.#write(certificates, resourceVersion, signal) };
  }

  /** Writes the Secret if it is still the one that was read. Returns its new version. */
  async #write(
    certificates: Certificates,
    resourceVersion: string | undefined,
    signal: AbortSignal,
  ): Promise<string | undefined> {
    const { client, secret } = this.#options;
    const body = { metadata: { resourceVersion }, data: secretData(certificates) };
    const written = await client.patch(SECRETS, secret, "merge", body, {
      fieldManager: "reveille-webhooks",
      metadataOnly: true,
      signal,
    });
    return written.metadata.resourceVersion;
  }

  async #register({ authorities }: Certificates, signal: AbortSignal): Promise<void> {
    const { client, systems, service, namespaces, log } = this.#options;
    const registration = { at: { service }, authorities: authorities.join(""), namespaces };
    await register(client, webhookConfigurations(systems, registration), signal);
    const extensions = await registerExtensions(client, systems, registration, signal);
    // Told where it turns, not at each look.
    if (extensions === "absent" && this.#extensions !== "absent")
      log.info(
        {},
        "the hooks are not registered: this cluster has no kind ExtensionConfig, which Cluster API brings; looked for again every five minutes",
      );
    if (extensions === "registered" && this.#extensions !== "registered")
      log.info({}, "Cluster API may ask the hooks");
    this.#extensions = extensions;
  }
}

const SECRETS = resourceOf(Secret);
