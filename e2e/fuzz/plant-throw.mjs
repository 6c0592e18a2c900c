// @ts-check
/**
 * Loaded into a gateway by `--import` to prove that random requests find a defect: a look-up under one unlikely name
 * throws, as a forgotten case would.
 */
const PLANTED_NAME = 'toString';

if (process.argv[1]?.includes('/gateway/')) {
  const { get } = Map.prototype;
  Map.prototype.get = function (key) {
    if (key === PLANTED_NAME) throw new Error('planted');
    return get.call(this, key);
  };
}
