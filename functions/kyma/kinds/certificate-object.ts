import { defineDynamic } from "../../../shared/function/index.ts";

/** Certificates of cert-manager or of Gardener, which have others make what they describe. */
export class CertificateObject extends defineDynamic("certificate-object") {}
