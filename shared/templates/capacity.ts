// Go's slices may be cut beyond their length, up to what was set aside when they grew. Templates that cut so far see zero values
// there, so the sizes that Go sets aside are reckoned as Go reckons them.

/** Bytes in which Go sets memory aside, up to the largest of them; beyond, whole pages. */
const SIZES = [
  ...[
    8, 16, 24, 32, 48, 64, 80, 96, 112, 128, 144, 160, 176, 192, 208, 224, 240, 256, 288, 320, 352, 384, 416,
  ],
  ...[
    448, 480, 512, 576, 640, 704, 768, 896, 1024, 1152, 1280, 1408, 1536, 1792, 2048, 2304, 2688, 3072, 3200,
  ],
  ...[
    3456, 4096, 4864, 5376, 6144, 6528, 6784, 6912, 8192, 9472, 9728, 10240, 10880, 12288, 13568, 14336,
    16384,
  ],
  ...[18432, 19072, 20480, 21760, 24576, 27264, 28672, 32768],
];
const PAGE = 8192;
/** The number of items up to which a slice doubles. */
const DOUBLING = 256;

/** The bytes of numbers, which hold no pointer. */
const NUMBER = 8;
/** Larger places that hold pointers have a head of their own. */
const HEADLESS = 512;
const HEAD = 8;

/** The bytes that are set aside where so many are asked for. */
function roundedUp(bytes: number, itemSize: number): number {
  const head = itemSize !== NUMBER && bytes > HEADLESS ? HEAD : 0;
  const size = SIZES.find((one) => one >= bytes + head);
  return size === undefined ? Math.ceil(bytes / PAGE) * PAGE : size - head;
}

/** The items of a slice that has grown from a capacity to hold so many. */
export function grownTo(needed: number, capacity: number, itemSize: number): number {
  if (needed <= capacity) return capacity;
  let wanted = capacity;
  if (needed > 2 * capacity) wanted = needed;
  else if (capacity < DOUBLING) wanted = 2 * capacity;
  else while (wanted < needed) wanted += Math.floor((wanted + 3 * DOUBLING) / 4);
  return Math.floor(roundedUp(wanted * itemSize, itemSize) / itemSize);
}

/** The items of a slice to which so many were appended one by one. */
export function appendedTo(count: number, itemSize: number, start = 0): number {
  let capacity = start;
  while (capacity < count) capacity = grownTo(capacity + 1, capacity, itemSize);
  return capacity;
}
