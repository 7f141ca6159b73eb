export { compareVersions, type Dated, highest, newest } from "./order.ts";
export {
  classOf,
  type ReleaseName,
  releaseOfClass,
  releaseOfTag,
  type StackName,
  sameRelease,
  sameStack,
  stemOf,
  tagOf,
} from "./release-name.ts";
export {
  dashedText,
  dashedVersion,
  dottedText,
  dottedVersion,
  type StackVersion,
  sameVersion,
} from "./version.ts";
