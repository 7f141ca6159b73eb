export { delivered, dueOf, failed, firstOf, keyOf, seenAt, type Waiting } from "./queue.ts";
export { type Change, type Seen, seenIn, WRITERS } from "./review.ts";
