export { type Admission, admitCreate, admitUpdate, type Change, FINALIZER } from "./admit.ts";
