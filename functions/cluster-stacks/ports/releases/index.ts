export {
  type Archive,
  type Asking,
  type FailureReason,
  isAsset,
  isChartArchive,
  type ListedRelease,
  type Listing,
  type OpenedRelease,
  type Opening,
  type Releases,
  type SourceCredentials,
  type SourceFailure,
} from "./contract.ts";
export { releases } from "./port.ts";
