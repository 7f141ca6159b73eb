export {
  CREATED,
  type Descriptor,
  MANIFEST_TYPE,
  type Manifest,
  TITLE,
} from "./documents.ts";
export { OciError, type OciErrorCode } from "./errors.ts";
export { OciLayout } from "./layout.ts";
export type { Credentials } from "./login.ts";
export { isTag, type Repository, repositoryOf } from "./names.ts";
export { type Document, RegistryClient, type RegistryOptions } from "./registry.ts";
