const LEAD =
  /^(?:\s|[¿¡"'(]|please\b|kindly\b|can you\b|could you\b|would you\b|will you\b|i want (?:you )?to\b|i(?:'d| would) like (?:you )?to\b|i need (?:you )?to\b|let'?s\b|go ahead and\b|now\b|then\b|just\b|,)+/i;

/**
 * Words after a verb that show that the verb is a noun, as in `drop in sales`, `update history` and `delete
 * log by day`.
 */
const NOUN = String.raw`(?!\s+(?:in|of|by|per|and|or|vs|history|logs?|dates?|times?|counts?)\b)`;
/** Verbs that never begin a question. */
const ALWAYS = new RegExp(
  String.raw`^(?:delete|drop|truncate|insert|erase|wipe|purge|destroy|remove|grant|revoke|alter|rename|overwrite|upsert|undelete|deactivate|archive)\b${NOUN}`,
  'i',
);
/**
 * Phrases that begin with such a verb but ask only for data: `update me on sales`, `add up the totals`,
 * `create a list of users`, `make a report`, `set out …`.
 */
const READS =
  /^(?:update (?:me|us)\b|add (?:up|together)\b|(?:create|make|give|generate|build|prepare)\s+(?:me\s+|us\s+)?(?:a|an|the)?\s*(?:\w+\s+)?(?:list|report|summary|overview|ranking|chart|count|table of|breakdown|leaderboard|histogram|top)\b)/i;
const SOMETIMES: readonly RegExp[] = [
  new RegExp(String.raw`^update\b${NOUN}`, 'i'),
  /^(?:set|change|switch|turn|convert)\b[^?]*\b(?:to|into|off|on)\b/i,
  /^(?:mark|flag|label|tag)\b(?!\s+(?:as|with)\b)[^?]*\b(?:as|with)\b/i,
  /^(?:increase|decrease|raise|lower|reduce|double|halve|increment|decrement)\b/i,
  /^(?:add|create|make|register|save|store|enter|record)\s+(?:a|an|another|one|two|three|\d+|some|this|these|the following|new)\b/i,
  /^(?:add|put|move|assign|append)\b[^?]*\b(?:to|into|in)\b/i,
  /^(?:fix|correct|replace|reset|clear|cancel|publish|unpublish|merge)\b/i,
];

/**
 * Reports whether a text in plain language asks to change rows or tables. Such a request is rejected before
 * it is sent to a model.
 */
export function isWriteRequest(question: string): boolean {
  const text = question.slice(0, 500).replace(LEAD, '');
  if (READS.test(text)) return false;
  return ALWAYS.test(text) || SOMETIMES.some((form) => form.test(text));
}
