export {
  CREATED,
  type Descriptor,
  type Index,
  isIndex,
  MANIFEST_TYPE,
  type Manifest,
  type ManifestOrIndex,
  TITLE,
} from "./documents.ts";
export { OciError, type OciErrorCode } from "./errors.ts";
export { OciLayout } from "./layout.ts";
export type { Credentials } from "./login.ts";
export { isTag, type Repository, repositoryOf } from "./names.ts";
export { type Document, RegistryClient, type RegistryOptions } from "./registry.ts";
