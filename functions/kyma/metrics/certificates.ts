import { messageOf } from "../../../shared/errors.ts";
import { fieldsOf, textOf } from "../../../shared/json/fields.ts";
import type { KubeClient } from "../../../shared/kube/client.ts";
import { resourceOf } from "../../../shared/kube/kind.ts";
import { Secret } from "../../../shared/kube/kinds/index.ts";
import type { Log } from "../../../shared/log/log.ts";
import { certificateName, GATEWAY_SECRET, isCloseToExpiry, overdueAt } from "../decide/certificates/index.ts";
import { CONTROL_PLANE } from "../kinds/index.ts";

/** The place of an object. */
export interface ObjectPlace {
  readonly name: string;
  readonly namespace: string;
}
/** The certificates of gateway and runtimes as they stand now. */
export interface CertificateNews {
  /** Undefined: there is no gateway, or its certificate cannot be read. */
  readonly isGatewayClose: boolean | undefined;
  /** The Kymas whose runtimes' certificates should have been renewed a day ago. */
  readonly overdue: readonly string[];
  /** False where one could not be read. */
  readonly areRead: boolean;
}

/** Certificates that are looked at in one scrape at most: there may be thousands. */
const LOOKS = 100;
/** A certificate that is not there yet is looked for again after so long, in milliseconds. */
const ABSENT = 3_600_000;

/**
 * Looks at certificates, for one process. It keeps of each when its renewal will be overdue, and looks again only then: at rest a scrape
 * reads the gateway's alone.
 */
export function watchedCertificates(client: Pick<KubeClient, "get">, log: Log) {
  /** When to look again, by Kyma: those that were looked at longest ago come first. */
  const known = new Map<string, { readonly next: number; readonly isThere: boolean }>();
  const certificateIn = async (place: ObjectPlace): Promise<string | undefined> => {
    const secret = await client.get(resourceOf(Secret), place);
    return secret && Buffer.from(textOf(fieldsOf(secret.data)["tls.crt"]), "base64").toString();
  };

  const look = async (kymas: ReadonlyMap<string, ObjectPlace>, now: number): Promise<void> => {
    for (const key of known.keys()) if (!kymas.has(key)) known.delete(key);
    const unseen = [...kymas.keys()].filter((key) => !known.has(key));
    const due = [...known].flatMap(([key, { next }]) => (next <= now ? [key] : []));
    for (const key of [...unseen, ...due].slice(0, LOOKS)) {
      const { name, namespace } = kymas.get(key) ?? { name: "", namespace: "" };
      const certificate = await certificateIn({ name: certificateName(name), namespace });
      known.delete(key);
      const isThere = certificate !== undefined;
      known.set(key, { next: isThere ? overdueAt(certificate) : now + ABSENT, isThere });
    }
  };

  return async (kymas: readonly ObjectPlace[], now: number): Promise<CertificateNews> => {
    const places = new Map(kymas.map((place) => [`${place.namespace}/${place.name}`, place]));
    try {
      const gateway = await certificateIn({ name: GATEWAY_SECRET, namespace: CONTROL_PLANE });
      // Without a gateway no runtime has a certificate.
      if (gateway === undefined) return { isGatewayClose: undefined, overdue: [], areRead: true };
      await look(places, now);
      const overdue = [...known].flatMap(([key, { next, isThere }]) =>
        isThere && next <= now ? (places.get(key)?.name ?? []) : [],
      );
      return { isGatewayClose: isCloseToExpiry(gateway, now), overdue, areRead: true };
    } catch (thrown) {
      log.warn({ error: messageOf(thrown), kind: Secret.kind }, "what the metrics tell of could not be read");
      return { isGatewayClose: undefined, overdue: [], areRead: false };
    }
  };
}
