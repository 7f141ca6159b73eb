export { diskFolders } from "./disk.ts";
