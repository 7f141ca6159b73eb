export { manualClock, type SettlingClock } from "../../shared/clock/manual.ts";
