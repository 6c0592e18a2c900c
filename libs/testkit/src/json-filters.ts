/**
 * Filters on JSON and full text, with the ids of the expected records. Record 1 has the text
 * `green apples and pears` and the document `{"a": {"b": 5}, "l": ["x", 10], "on": true}`. Record 2 has
 * `yellow bananas` and `{"a": {"b": "five"}, "l": [2], "on": false, "none": null}`.
 */
export const JSON_FILTERS: readonly [filter: string, ids: number[]][] = [
  ['data->a.b=5', [1]],
  ['data->a.b=five', [2]],
  ['data->a.b__gt=4.5', [1]],
  ['data->a.b__ne=5', [2]],
  ['data->l.1__gte=9', [1]],
  ['data->l.0=x', [1]],
  ['data->on=true', [1]],
  ['data->a.b__in=5,five', [1, 2]],
  ['data->a.b__startswith=fi', [2]],
  ['data__json_contains={"l":[2]}', [2]],
  ['data->l__json_contains="x"', [1]],
  ['data__json_has_key=none', [2]],
  ['data->a__json_has_key=b', [1, 2]],
  ['_filter={"data->a.b":5}', [1]],
  ['_filter={"not":{"data->on":true},"id__lt":3}', [2]],
  ['_q=bananas', [2]],
  ['body__search=apples', [1]],
];
