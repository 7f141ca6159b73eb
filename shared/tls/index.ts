export { type Authority, createAuthority, loadAuthority, type Pair, type Subject } from "./authority.ts";
