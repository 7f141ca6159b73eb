export { listener } from "./listener.ts";
