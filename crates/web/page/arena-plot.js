// A chart of ratings over the games played, each with its confidence interval.

/** @typedef {import('./types').RatingPoint} Moment */

const [WIDTH, HEIGHT] = [720, 300];
const MARGIN = { left: 46, right: 12, top: 12, bottom: 30 };

/** The colours of agents, in the order of the plan: distinguishable in both themes. */
export const COLOURS = ['#c2452d', '#2a7f9e', '#4b8b3b', '#b0832c', '#8455a8', '#c0558f', '#5c6b77', '#8a5a3c'];

/**
 * @param {string} tag
 * @param {Record<string, string | number>} attributes
 * @param {...(Node | string)} children
 */
function s(tag, attributes, ...children) {
  const element = document.createElementNS('http://www.w3.org/2000/svg', tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
  element.append(...children);
  return element;
}

/** About `count` axis ticks, spaced by 1, 2 or 5 times a power of ten. @param {number} low @param {number} high @param {number} count */
function ticks(low, high, count) {
  const rough = Math.max(1e-9, (high - low) / count);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((size) => size >= rough) ?? rough;
  const first = Math.ceil(low / step);
  return Array.from({ length: Math.floor(high / step) - first + 1 }, (_, index) => (first + index) * step);
}

/** @param {Moment[]} history */
function extent(history) {
  const bounds = history.flatMap(({ ratings }) =>
    Object.values(ratings).flatMap(([elo, margin]) => [elo - margin, elo + margin]),
  );
  // The first games have huge margins, which would flatten the rest of the chart.
  const centre = history.flatMap(({ ratings }) => Object.values(ratings).map(([elo]) => elo));
  const [least, most] = [Math.min(...centre, -50), Math.max(...centre, 50)];
  const room = Math.max(100, (most - least) * 0.6);
  return { low: Math.max(Math.min(...bounds), least - room), high: Math.min(Math.max(...bounds), most + room) };
}

/**
 * @param {Moment[]} history
 * @param {string[]} agents
 * @returns {SVGElement | null}
 */
export function ratingPlot(history, agents) {
  const known = history.filter(({ ratings }) => Object.keys(ratings).length > 0);
  if (known.length < 2) return null;
  const { low, high } = extent(known);
  const [first, last] = [known[0].played, known[known.length - 1].played];
  const x = (/** @type {number} */ played) =>
    MARGIN.left + ((played - first) / Math.max(1, last - first)) * (WIDTH - MARGIN.left - MARGIN.right);
  const y = (/** @type {number} */ elo) =>
    MARGIN.top + ((high - Math.max(low, Math.min(high, elo))) / (high - low)) * (HEIGHT - MARGIN.top - MARGIN.bottom);
  const points = (/** @type {string} */ agent) =>
    known.flatMap(({ played, ratings }) =>
      ratings[agent] ? [{ played, elo: ratings[agent][0], margin: ratings[agent][1] }] : [],
    );
  const series = agents
    .map((agent, index) => ({ agent, colour: COLOURS[index % COLOURS.length], points: points(agent) }))
    .filter((line) => line.points.length > 0);
  const label = series.map(({ agent, points: own }) => `${agent} ${Math.round(own[own.length - 1].elo)}`).join(', ');
  return s(
    'svg',
    {
      viewBox: `0 0 ${WIDTH} ${HEIGHT}`,
      class: 'plot',
      role: 'img',
      'aria-label': `Ratings after ${last} games: ${label}`,
    },
    ...ticks(low, high, 5).map((elo) =>
      s(
        'g',
        {},
        s('line', {
          x1: MARGIN.left,
          x2: WIDTH - MARGIN.right,
          y1: y(elo),
          y2: y(elo),
          class: elo === 0 ? 'zero' : 'grid',
        }),
        s('text', { x: MARGIN.left - 8, y: y(elo) + 4, 'text-anchor': 'end' }, String(Math.round(elo))),
      ),
    ),
    ...ticks(first, last, 6)
      .filter(Number.isInteger)
      .map((played) => s('text', { x: x(played), y: HEIGHT - 10, 'text-anchor': 'middle' }, String(played))),
    ...series.map(({ colour, points: own }) =>
      s('polygon', {
        fill: colour,
        opacity: 0.13,
        points: [
          ...own.map((at) => `${x(at.played)},${y(at.elo + at.margin)}`),
          ...own.toReversed().map((at) => `${x(at.played)},${y(at.elo - at.margin)}`),
        ].join(' '),
      }),
    ),
    ...series.map(({ agent, colour, points: own }) =>
      s(
        'polyline',
        {
          fill: 'none',
          stroke: colour,
          'stroke-width': 2.5,
          'stroke-linejoin': 'round',
          points: own.map((at) => `${x(at.played)},${y(at.elo)}`).join(' '),
        },
        s('title', {}, agent),
      ),
    ),
  );
}

/**
 * A rating and its interval, drawn as a dot on a line, on a common scale.
 * @param {number} elo
 * @param {number} margin
 * @param {[number, number]} scale
 * @param {string} colour
 */
export function whisker(elo, margin, [low, high], colour) {
  const x = (/** @type {number} */ value) =>
    4 + ((Math.max(low, Math.min(high, value)) - low) / Math.max(1, high - low)) * 112;
  return s(
    'svg',
    { viewBox: '0 0 120 16', class: 'whisker', 'aria-hidden': 'true' },
    s('line', { x1: x(0), x2: x(0), y1: 1, y2: 15, class: 'zero' }),
    s('line', {
      x1: x(elo - margin),
      x2: x(elo + margin),
      y1: 8,
      y2: 8,
      stroke: colour,
      'stroke-width': 3,
      'stroke-linecap': 'round',
      opacity: 0.45,
    }),
    s('circle', { cx: x(elo), cy: 8, r: 4.5, fill: colour }),
  );
}
