export { BeatKeeper, type BeatKeeperOptions } from "./beat-keeper.ts";
