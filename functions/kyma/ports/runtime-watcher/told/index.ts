export {
  delivered,
  failed,
  firstOf,
  keyOf,
  LONGEST_RETRY,
  pauseAfter,
  seenAt,
  type Waiting,
  waitingIn,
} from "./queue.ts";
export { anythingFor, type Change, type Seen, seenIn, WRITERS } from "./review.ts";
