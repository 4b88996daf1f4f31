import { type Direction, type Place, placeOf } from './place.ts';

/** Step size as a fraction of the movable distance. */
const stepFraction = 0.25;

/** The corners in the order in which `Next` visits them. */
const corners = ['bottom-end', 'bottom-start', 'top-start', 'top-end'].map(placeOf);

/** Returns the place after a move. `Left` and `Right` are physical directions. */
export function movePlace(place: Place, direction: Direction, isRtl: boolean): Place {
  const { side, up } = place;
  if (direction === 'Up') return { side, up: Math.min(1, up + stepFraction) };
  if (direction === 'Down') return { side, up: Math.max(0, up - stepFraction) };
  if (direction !== 'Next') {
    return { side: (direction === 'Left') === isRtl ? 'end' : 'start', up };
  }
  const index = corners.findIndex((each) => each.side === side && each.up === Math.round(up));
  return corners[(index + 1) % corners.length] ?? place;
}
