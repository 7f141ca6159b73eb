import { type Effects, type Obj, own, remove, type Wait } from "../../../../shared/function/index.ts";
import { Secret } from "../../../../shared/kube/kinds/index.ts";
import type { WatcherSettings } from "../../configuration.ts";
import { CertificateObject, type Kyma, LABELS } from "../../kinds/index.ts";
import { isIssuedBy, timesOf } from "./read.ts";
import { LIFETIMES, type RuntimeSubject } from "./rotation.ts";
import { certificateName } from "./subject.ts";

/** Programs beside Reveille that make certificates. */
export type Backend = Exclude<WatcherSettings["issuer"], "builtIn">;

const VERSIONS: Readonly<Record<Backend, string>> = {
  certManager: "cert-manager.io/v1",
  gardener: "cert.gardener.cloud/v1alpha1",
};
const { days, renewed } = LIFETIMES.runtime;
const BITS = 4096;

/** Has another program make the certificate of a Kyma's runtime, into the Secret that it would have here too. */
export function describedFor(
  self: Obj<typeof Kyma>,
  subject: RuntimeSubject,
  { backend, issuer, renew }: { readonly backend: Backend; readonly issuer: string; readonly renew: boolean },
) {
  const { name, namespace } = self.metadata;
  const secret = certificateName(name);
  const spec = { ...subject, duration: `${days * 24}h` };
  return own(
    self,
    CertificateObject,
    {
      apiVersion: VERSIONS[backend],
      kind: "Certificate",
      metadata: { name: secret, labels: { [LABELS.managedBy]: "lifecycle-manager" } },
      spec:
        backend === "certManager"
          ? {
              ...spec,
              secretName: secret,
              renewBefore: `${renewed * 24}h`,
              issuerRef: { name: issuer, kind: "Issuer" },
              privateKey: { algorithm: "RSA", encoding: "PKCS1", rotationPolicy: "Always", size: BITS },
              usages: ["digital signature", "key encipherment", "server auth", "client auth"],
            }
          : {
              ...spec,
              secretRef: { name: secret, namespace },
              issuerRef: { name: issuer, namespace },
              privateKey: { algorithm: "RSA", size: BITS },
              ...(renew && { renew: true }),
            },
    },
    { force: true },
  );
}

/** The place of what that program is told. */
export const describedAt = ({ metadata }: Obj<typeof Kyma>, backend: Backend) => ({
  apiVersion: VERSIONS[backend],
  kind: "Certificate",
  name: certificateName(metadata.name),
  namespace: metadata.namespace,
});
/** The wait for that program. */
export const describedWait = (self: Obj<typeof Kyma>, backend: Backend): Wait => ({
  for: "the certificate of the runtime",
  object: describedAt(self, backend),
});

/**
 * True for a certificate of before the newest authority, once its turn has come: those programs renew what ends, and know nothing of an authority that
 * others are to trust.
 */
export function isOfBefore(
  certificate: string,
  {
    authority,
    addedAt,
    after,
    now,
  }: {
    readonly authority: string;
    readonly addedAt: number | undefined;
    readonly after: number;
    readonly now: number;
  },
): boolean {
  if (addedAt === undefined || now < addedAt + after) return false;
  // Programs date back what they issue.
  if (isIssuedBy(certificate, authority)) return false;
  return (timesOf(certificate)?.from ?? 0) < addedAt;
}

/** Has the certificate made anew: cert-manager makes one where its Secret is gone, Gardener is told by a field. */
export const madeAnew = (backend: Backend, secret: Obj<typeof Secret>): Effects<"Secret"> =>
  backend === "certManager" ? remove(Secret, secret) : [];
