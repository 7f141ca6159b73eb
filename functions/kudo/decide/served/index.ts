export { type Present, present, successorOf } from "./present.ts";
