// @ts-check
/**
 * Plants a defect in a gateway, to prove that random requests find it. It is loaded by `--import`. A lookup
 * of one of a few unlikely names throws, as in code that forgot a case.
 */
const PLANTED_NAMES = new Set([
  'toString',
  'hasOwnProperty',
  'undefined',
  'Infinity',
  'NaN',
  '{{7*7}}',
  '${7*7}',
  '<script>',
  'file:///etc/passwd',
  '838:59:59',
  'İ',
  'ß',
]);

if (process.argv[1]?.includes('/gateway/')) {
  const { get } = Map.prototype;
  Map.prototype.get = function (key) {
    if (PLANTED_NAMES.has(key)) throw new Error('planted');
    return get.call(this, key);
  };
}
