/** One thing that stands against an update to another minor or major version. */
export interface UpgradeRisk {
  readonly name: string;
  readonly message: string;
}
