import { stepFolders } from "./steps-suite.ts";

stepFolders("local");
