// @ts-check
import { SQL_TEXTS } from './sql-texts.mjs';
import { INJECTION_TEXTS } from './injection-texts.mjs';
import { ENCODING_TEXTS } from './encoding-texts.mjs';
import { VALUE_TEXTS } from './value-texts.mjs';

/** @typedef {import('@rowhouse/schema-model/testing').Random} Random */
/** @typedef {import('./text-class.mjs').HostileNames} HostileNames */
/** @typedef {import('./text-class.mjs').TextClass} TextClass */

/**
 * Classes of text that have broken programs of this kind. They are sent to every position that takes a text.
 * @type {readonly TextClass[]}
 */
export const TEXT_CLASSES = [...SQL_TEXTS, ...INJECTION_TEXTS, ...ENCODING_TEXTS, ...VALUE_TEXTS];
