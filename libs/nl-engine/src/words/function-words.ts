const FUNCTION_WORDS = new Set(
  `a an the of for from in on at by to with without and or but not no nor as is are was were be been being am do does did done have has had having
  what which who whom whose where when how why that this these those there here it its they them their he she his her him we us our you your i me my
  all any each every some both either neither other another same such than then so if else into onto over under above below between among within
  more most less least fewer fewest many much few several only also just too very please can could would will shall should may might must
  show list give find get return display tell name report select provide count number total average mean maximum minimum sum
  one first last top per different distinct unique between before after since until during ever never yes`.split(
    /\s+/,
  ),
);

/**
 * Reports whether the word is a function word or a request word. Such a word alone never names a table,
 * column or value.
 */
export function isFunctionWord(lower: string): boolean {
  return FUNCTION_WORDS.has(lower);
}
