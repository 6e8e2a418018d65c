import StoreEngine

extension ResultShape {
    /// Returns the shape with the columns that ``SpatialSource`` adds.
    func near(_ near: Near?) -> ResultShape {
        guard let near else { return self }
        let shape = self.near()
        guard let label = near.label else { return shape }
        return shape.labelled(label.name)
    }

    /// The name of the column that contains the distance of a row from the center, in meters.
    static let distance = "distance_m"

    func near() -> ResultShape {
        var shape = self
        shape.choice?.append(Self.distance)
        let hasDistance = shape.table.contains { column in column.name == Self.distance }
        if !shape.table.isEmpty, !hasDistance {
            shape.table.insert(TableColumn(Self.distance), at: 0)
        }
        let distance = Column(Self.distance, .number(decimals: 3), at: nextIndex, measure: .distance)
        shape.columns.append(distance)
        return shape
    }

    /// Returns the shape with the column of a ``Label`` before all others.
    ///
    /// In the SELECT, it follows all others.
    func labelled(_ name: String) -> ResultShape {
        var shape = self
        let column = Column(name, .text, at: nextIndex)
        shape.choice?.insert(name, at: 0)
        shape.columns.insert(column, at: 0)
        if !shape.table.isEmpty { shape.table.insert(TableColumn(name), at: 0) }
        shape.identity.insert(column, at: 0)
        return shape
    }

    /// The index after the last index that the shape reads.
    private var nextIndex: Int {
        let indices = columns.map(\.index)
        let offsets = columns.compactMap { column in
            if case .instant(let offset) = column.value { offset } else { nil }
        }
        let keys = columns.compactMap(\.key)
        var point = 0
        if case .point(let index) = geometry { point = index }
        let all = [point] + indices + offsets + keys
        return all.reduce(0, max) + 1
    }
}
