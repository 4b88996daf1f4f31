import { type Direction, type Place, placeOf } from './place.ts';

/** How far a step moves the bubble, as a share of its way. */
const step = 0.25;

/** The corners, in the order in which the bubble goes round them. */
const corners = ['bottom-end', 'bottom-start', 'top-start', 'top-end'].map(placeOf);

/** Where a bubble comes to from a place, in a page whose text runs to the left or not. */
export function movePlace(place: Place, direction: Direction, isRtl: boolean): Place {
  const { side, up } = place;
  if (direction === 'Up') return { side, up: Math.min(1, up + step) };
  if (direction === 'Down') return { side, up: Math.max(0, up - step) };
  if (direction !== 'Next') {
    return { side: (direction === 'Left') === isRtl ? 'end' : 'start', up };
  }
  const at = corners.findIndex((each) => each.side === side && each.up === Math.round(up));
  return corners[(at + 1) % corners.length] ?? place;
}
