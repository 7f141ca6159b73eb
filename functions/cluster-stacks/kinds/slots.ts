import { defineDynamic } from "../../../shared/function/index.ts";

/** The objects of providers: templates, and what is made of them for a release. Their kinds have any name. */
export class ProviderObject extends defineDynamic("provider-object") {}

/** The Secrets with the credentials of sources, each admitted by its name. */
export class SourceSecret extends defineDynamic("source-secret") {}

/** The objects that the chart of a ClusterClass brings. */
export class ClassObject extends defineDynamic("class-object") {}
