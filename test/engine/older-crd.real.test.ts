import { olderCrdSuite } from "./older-crd.ts";

olderCrdSuite("real");
